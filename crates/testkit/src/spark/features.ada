-- SPARK programs, a feature or two each, which our interpreter and a run of GNAT's binary (-gnata) end alike. `break` says what makes of
-- it a program in which something fails; a program under `fails` fails as it is.
=== expression functions in a package, Contract_Cases
-- break: `(X > 0 => Sign'Result = 1` becomes `(X > 0 => Sign'Result = 2`
package M is
   function Sign (X : Integer) return Integer with
     Contract_Cases => (X > 0 => Sign'Result = 1,
                        X = 0 => Sign'Result = 0,
                        others => Sign'Result = -1);
   function Twice (X : Integer) return Integer is (X * 2) with Pre => X in -1000 .. 1000;
end M;
package body M is
   function Sign (X : Integer) return Integer is
   begin
      if X > 0 then return 1; elsif X < 0 then return -1; else return 0; end if;
   end Sign;
end M;
with M; use M;
procedure Main is
begin
   pragma Assert (Sign (5) = 1);
   pragma Assert (Sign (-7) = -1 and then Twice (4) = 8);
   pragma Assert (M.Sign (0) = 0);
end Main;
=== arrays of records
-- break: `Total = 60` becomes `Total = 61`
procedure Main is
   type Item is record
      Price : Natural := 0;
      Count : Positive := 1;
   end record;
   type Cart is array (1 .. 3) of Item;
   C : Cart := (1 => (10, 1), 2 => (Price => 20, Count => 1), 3 => (30, 1));
   Total : Natural := 0;
begin
   for I in C'Range loop
      Total := Total + C (I).Price * C (I).Count;
   end loop;
   pragma Assert (Total = 60);
end Main;
=== unconstrained array parameter with attributes
-- break: `Sum (V) = 10` becomes `Sum (V) = 11`
procedure Main is
   type Vec is array (Positive range <>) of Integer;
   function Sum (A : Vec) return Integer is
      S : Integer := 0;
   begin
      for I in A'Range loop
         S := S + A (I);
      end loop;
      return S;
   end Sum;
   V : constant Vec := (1, 2, 3, 4);
begin
   pragma Assert (Sum (V) = 10);
end Main;
=== slices
-- break: `B (1) = 2` becomes `B (1) = 3`
procedure Main is
   type Vec is array (1 .. 6) of Integer;
   A : Vec := (1, 2, 3, 4, 5, 6);
   B : Vec := (others => 0);
begin
   B (1 .. 3) := A (2 .. 4);
   pragma Assert (B (1) = 2 and B (3) = 4 and B (4) = 0);
   A (2 .. 4) := A (1 .. 3);
   pragma Assert (A (2) = 1 and A (4) = 3);
end Main;
=== quantified in contracts, loop variant
-- break: `Max_Of (V) = 9` becomes `Max_Of (V) = 8`
procedure Main is
   type Index is range 1 .. 5;
   type Vec is array (Index) of Integer;
   function Max_Of (A : Vec) return Integer with
     Post => (for all I in Index => A (I) <= Max_Of'Result) and then (for some I in A'Range => A (I) = Max_Of'Result);
   function Max_Of (A : Vec) return Integer is
      M : Integer := A (1);
   begin
      for I in Index loop
         pragma Loop_Invariant (for all J in Index'First .. I - 1 => A (J) <= M);
         if A (I) > M then
            M := A (I);
         end if;
      end loop;
      return M;
   end Max_Of;
   V : constant Vec := (3, 9, 2, 9, 1);
begin
   pragma Assert (Max_Of (V) = 9);
end Main;
=== loop variant
-- break: `Decreases => N` becomes `Increases => N`
procedure Main is
   N : Natural := 10;
   C : Natural := 0;
begin
   while N > 0 loop
      pragma Loop_Variant (Decreases => N);
      pragma Loop_Invariant (N + C = 10);
      N := N - 1;
      C := C + 1;
   end loop;
   pragma Assert (C = 10);
end Main;
=== nested packages
-- break: `Value = 3` becomes `Value = 4`
procedure Main is
   package Counter is
      procedure Inc;
      function Value return Natural;
   private
      N : Natural := 0;
   end Counter;
   package body Counter is
      procedure Inc is
      begin
         N := N + 1;
      end Inc;
      function Value return Natural is (N);
   end Counter;
begin
   Counter.Inc; Counter.Inc;
   Counter.Inc;
   pragma Assert (Counter.Value = 3);
end Main;
=== exit when in nested named loops
-- break: `I = 3 and J = 4` becomes `I = 3 and J = 5`
procedure Main is
   I, J : Natural := 0;
begin
   Outer : loop
      I := I + 1;
      J := 0;
      Inner : loop
         J := J + 1;
         exit Outer when I * J = 12;
         exit Inner when J > 3;
      end loop Inner;
      exit when I > 10;
   end loop Outer;
   pragma Assert (I = 3 and J = 4);
end Main;
=== modular wrap
-- break: `R = 5` becomes `R = 6`
procedure Main is
   type Byte is mod 256;
   type Ring is mod 10;
   B : Byte := 250;
   R : Ring := 7;
begin
   B := B + 10;
   R := R + 8;
   pragma Assert (B = 4);
   pragma Assert (R = 5);
   R := R - 6;
   pragma Assert (R = 9);
   B := not B;
   pragma Assert (B = 251 and (B and 16#0F#) = 11);
   R := -R;
   pragma Assert (R = 1);
end Main;
=== 'Old and 'Result with Depends/Global
-- break: `X'Old + 1` becomes `X'Old + 2`
package P with SPARK_Mode is
   G : Natural := 0;
   procedure Bump (X : in out Natural) with
     Global => (In_Out => G),
     Depends => (X => X, G => (G, X)),
     Pre => X < 100 and then G < 1000,
     Post => X = X'Old + 1 and G = G'Old + X'Old;
end P;
package body P with SPARK_Mode is
   procedure Bump (X : in out Natural) is
   begin
      G := G + X;
      X := X + 1;
   end Bump;
end P;
with P;
procedure Main with SPARK_Mode is
   A : Natural := 5;
begin
   P.Bump (A);
   P.Bump (A);
   pragma Assert (A = 7 and P.G = 11);
end Main;
=== strings and characters
-- break: `Count = 2` becomes `Count = 3`
procedure Main is
   S : constant String := "hello";
   Count : Natural := 0;
begin
   for I in S'Range loop
      if S (I) = 'l' then
         Count := Count + 1;
      end if;
   end loop;
   pragma Assert (Count = 2);
   pragma Assert (S'Length = 5);
end Main;
=== others in nested aggregates, two dimensions
-- break: `M (2, 3) = 1` becomes `M (2, 3) = 0`
procedure Main is
   type Matrix is array (1 .. 3, 1 .. 3) of Integer;
   type Rec is record A, B : Integer; C : Boolean; end record;
   M : Matrix := (1 => (others => 0), others => (3 => 1, others => 2));
   R : Rec := (C => True, others => 5);
   N : Matrix := (others => (others => 7));
begin
   pragma Assert (M (2, 3) = 1 and M (3, 1) = 2);
   pragma Assert (R.A = 5 and R.B = 5);
   pragma Assert (N (3, 3) = 7);
   N := M;
   pragma Assert (N = M);
end Main;
=== short circuit guards against exceptions
-- break: `D /= 0 and then N / D > 1` becomes `D /= 0 and N / D > 1`
procedure Main is
   D : Integer := 0;
   N : Integer := 10;
   B : Boolean;
begin
   B := D /= 0 and then N / D > 1;
   pragma Assert (not B);
   B := D = 0 or else N mod D = 0;
   pragma Assert (B);
end Main;
=== case expression, if expression, enumerations with attributes
-- break: `Day'Pos (D) = 5` becomes `Day'Pos (D) = 4`
procedure Main is
   type Day is (Mon, Tue, Wed, Thu, Fri, Sat, Sun);
   subtype Weekday is Day range Mon .. Fri;
   D : Day := Fri;
   H : Natural;
begin
   D := Day'Succ (D);
   pragma Assert (Day'Pos (D) = 5);
   H := (case D is when Weekday => 8, when Sat => 4, when Sun => 0);
   pragma Assert (H = 4);
   H := (if D in Weekday then 1 elsif D = Sat then 2 else 3);
   pragma Assert (H = 2);
   pragma Assert (Day'Last = Sun and Day'Val (0) = Mon and Weekday'Last = Fri);
end Main;
=== private type with operations (stack)
-- break: `X = 2` becomes `X = 1`
package Stacks is
   Max : constant := 4;
   type Stack is private;
   function Size (S : Stack) return Natural;
   function Is_Full (S : Stack) return Boolean is (Size (S) = Max);
   procedure Init (S : out Stack) with Post => Size (S) = 0;
   procedure Push (S : in out Stack; X : Integer) with
     Pre => not Is_Full (S), Post => Size (S) = Size (S)'Old + 1;
   procedure Pop (S : in out Stack; X : out Integer) with
     Pre => Size (S) > 0, Post => Size (S) = Size (S'Old) - 1;
private
   subtype Length is Natural range 0 .. Max;
   type Data is array (1 .. Max) of Integer;
   type Stack is record
      D : Data := (others => 0);
      N : Length := 0;
   end record;
   function Size (S : Stack) return Natural is (S.N);
end Stacks;
package body Stacks is
   procedure Init (S : out Stack) is
   begin
      S := (D => (others => 0), N => 0);
   end Init;
   procedure Push (S : in out Stack; X : Integer) is
   begin
      S.N := S.N + 1;
      S.D (S.N) := X;
   end Push;
   procedure Pop (S : in out Stack; X : out Integer) is
   begin
      X := S.D (S.N);
      S.N := S.N - 1;
   end Pop;
end Stacks;
with Stacks; use Stacks;
procedure Main is
   S : Stack;
   X : Integer;
begin
   Init (S);
   Push (S, 1);
   Push (S, 2);
   Pop (S, X);
   pragma Assert (X = 2);
   pragma Assert (Size (S) = 1);
end Main;
=== renaming
-- break: `A (2) = 5` becomes `A (2) = 6`
procedure Main is
   type Arr is array (1 .. 3) of Integer;
   A : Arr := (others => 0);
   X : Integer renames A (2);
begin
   X := 5;
   pragma Assert (A (2) = 5);
end Main;
=== for of
-- break: `S = 6` becomes `S = 7`
procedure Main is
   type Arr is array (1 .. 3) of Integer;
   A : Arr := (1, 2, 3);
   S : Integer := 0;
begin
   for E of A loop
      S := S + E;
   end loop;
   pragma Assert (S = 6);
   for E of A loop
      E := E * 2;
   end loop;
   pragma Assert (A (3) = 6);
   pragma Assert (for all E of A => E mod 2 = 0);
end Main;
=== nested subprogram using outer parameter
-- break: `R = 25` becomes `R = 24`
procedure Main is
   procedure Work (N : Integer; R : out Integer) is
      function Sq return Integer is (N * N);
   begin
      R := Sq;
   end Work;
   R : Integer;
begin
   Work (5, R);
   pragma Assert (R = 25);
end Main;
=== local subprograms inside of procedure of package
-- break: `Y = 9` becomes `Y = 8`
package Q is
   procedure Cube_Minus (X : Integer; Y : out Integer) with Pre => X in 0 .. 10;
end Q;
package body Q is
   procedure Cube_Minus (X : Integer; Y : out Integer) is
      T : Integer := 0;
      procedure Add (K : Integer) is
      begin
         T := T + K;
      end Add;
   begin
      for I in 1 .. X loop
         Add (X);
      end loop;
      Y := T;
   end Cube_Minus;
end Q;
with Q;
procedure Main is
   Y : Integer;
begin
   Q.Cube_Minus (3, Y);
   pragma Assert (Y = 9);
end Main;
=== array with constrained subtype
-- break: `W'Length = 4` becomes `W'Length = 5`
procedure Main is
   type Vec is array (Positive range <>) of Natural;
   subtype Vec4 is Vec (1 .. 4);
   W : Vec4 := (others => 3);
   V : Vec (2 .. 5) := (1, 2, 3, 4);
begin
   pragma Assert (W'Length = 4);
   pragma Assert (V'First = 2 and V'Last = 5);
   W := V;
   pragma Assert (W (1) = 1 and W (4) = 4);
end Main;
=== derived types and conversions
-- break: `Meters (F) = 3` becomes `Meters (F) = 4`
procedure Main is
   type Meters is range 0 .. 1000;
   type Feet is new Integer range 0 .. 3000;
   type Small is new Meters range 1 .. 10;
   F : Feet := 3;
   S : Small := 10;
   M : Meters;
begin
   pragma Assert (Meters (F) = 3);
   M := Meters (S) + 990;
   pragma Assert (M = 1000);
   S := Small (M / 100);
   pragma Assert (Integer (S) = 10);
end Main;
=== range check fails in the middle of expression subtype
-- break: `N := N - 5` becomes `N := N - 6`
procedure Main is
   N : Natural := 5;
begin
   N := N - 5;
   pragma Assert (N = 0);
end Main;
=== base type overflow intermediate
-- break: `(X - 100) + Y` becomes `X + Y`
procedure Main is
   X : Integer := Integer'Last;
   Y : Integer := 100;
   Z : Integer;
begin
   Z := (X - 100) + Y;
   pragma Assert (Z = Integer'Last);
end Main;
=== small base type: type range 1..10 fits in a byte
-- break: `T := A * 2 - 8` becomes `T := A * 2 - 9 + 4`
procedure Main is
   type Ten is range 1 .. 10;
   A : Ten := 9;
   T : Ten;
begin
   T := A * 2 - 8;
   pragma Assert (T = 10);
end Main;
=== named parameters, defaults, mixed
-- break: `F (2, C => 1) = 13` becomes `F (2, C => 1) = 12`
procedure Main is
   function F (A : Integer; B : Integer := 10; C : Integer := 0) return Integer is (A + B + C);
begin
   pragma Assert (F (2, C => 1) = 13);
   pragma Assert (F (A => 1, B => 2, C => 3) = 6);
   pragma Assert (F (1) = 11);
end Main;
=== enumeration with representation and characters
-- break: `Light'Pos (L) = 2` becomes `Light'Pos (L) = 1`
procedure Main is
   type Light is (Red, Amber, Green);
   for Light use (Red => 1, Amber => 2, Green => 4);
   L : Light := Green;
begin
   pragma Assert (Light'Pos (L) = 2);
   pragma Assert (L > Amber);
   L := Light'Pred (L);
   pragma Assert (L = Amber);
end Main;
=== record with nested records and arrays, 'Old of component; delta aggregate
-- break: `P.Pos.X = 4` becomes `P.Pos.X = 3`
procedure Main is
   type Point is record X, Y : Integer; end record;
   type Player is record
      Pos : Point;
      Lives : Natural;
   end record;
   procedure Move (P : in out Player; Dx : Integer) with
     Pre => P.Pos.X < 1000 and Dx in -10 .. 10,
     Post => P.Pos.X = P.Pos.X'Old + Dx and P.Lives = P.Lives'Old and P.Pos.Y = P'Old.Pos.Y;
   procedure Move (P : in out Player; Dx : Integer) is
   begin
      P.Pos.X := P.Pos.X + Dx;
   end Move;
   P : Player := (Pos => (X => 1, Y => 2), Lives => 3);
begin
   Move (P, 3);
   pragma Assert (P.Pos.X = 4);
   P.Pos := Point'(X => 0, Y => 0);
   pragma Assert (P = (Pos => (0, 0), Lives => 3));
end Main;
=== delta aggregates and Update
-- break: `Q.X = 5` becomes `Q.X = 1`
procedure Main is
   type Point is record X, Y : Integer; end record;
   P : constant Point := (1, 2);
   Q : Point;
begin
   Q := (P with delta X => 5);
   pragma Assert (Q.X = 5 and Q.Y = 2);
end Main;
=== child package and use type, constants in private part, deferred constant
-- break: `Limit = 42` becomes `Limit = 41`
package Conf is
   Limit : constant Integer;
   type T is private;
   Zero : constant T;
   function Val (X : T) return Integer;
private
   Limit : constant Integer := 42;
   type T is new Integer range 0 .. 50;
   Zero : constant T := 0;
   function Val (X : T) return Integer is (Integer (X));
end Conf;
package Conf.Child is
   function Next (X : T) return Integer is (Val (X) + 1);
end Conf.Child;
with Conf; with Conf.Child;
procedure Main is
begin
   pragma Assert (Conf.Limit = 42);
   pragma Assert (Conf.Child.Next (Conf.Zero) = 1);
end Main;
=== null ranges, reverse loops, empty arrays
-- break: `C = 0` becomes `C = 1`
procedure Main is
   C : Integer := 0;
   Last : Integer := -5;
   L : Integer := 0;
begin
   for I in 1 .. Last loop
      C := C + 1;
   end loop;
   pragma Assert (C = 0);
   for I in reverse 3 .. 5 loop
      L := L * 10 + I;
   end loop;
   pragma Assert (L = 543);
   pragma Assert (for all I in 1 .. 0 => False);
   pragma Assert (not (for some I in 1 .. 0 => True));
end Main;
=== Type_Invariant, Ghost functions, Assert_And_Cut, package initialisation statements
-- break: `State = 12` becomes `State = 10`
package St is
   State : Integer := 10;
   function Good return Boolean is (State > 0) with Ghost;
   procedure Step with Pre => Good, Post => Good;
end St;
package body St is
   procedure Step is
   begin
      State := State + 1;
   end Step;
begin
   State := State + 1;
end St;
with St;
procedure Main is
begin
   St.Step;
   pragma Assert (St.State = 12);
   pragma Assert_And_Cut (St.Good);
end Main;
=== Interfaces, Unchecked: Unsigned_8 shifts
-- break: `X = 16#F0#` becomes `X = 16#0F#`
with Interfaces; use Interfaces;
procedure Main is
   X : Unsigned_8 := 16#0F#;
begin
   X := Shift_Left (X, 4);
   pragma Assert (X = 16#F0#);
   X := X + 16#20#;
   pragma Assert (X = 16#10#);
end Main;
=== function returning array / record; array of arrays
-- break: `R (2) = 8` becomes `R (2) = 4`
procedure Main is
   type Vec is array (1 .. 3) of Integer;
   type Grid is array (1 .. 2) of Vec;
   function Double (V : Vec) return Vec is
      R : Vec := V;
   begin
      for I in R'Range loop R (I) := R (I) * 2; end loop;
      return R;
   end Double;
   R : Vec := Double ((3, 4, 5));
   G : Grid := (others => (others => 1));
begin
   pragma Assert (R (2) = 8);
   G (2) := R;
   pragma Assert (G (2) (3) = 10 and G (1) (3) = 1);
   pragma Assert (Double (R) (1) = 12);
end Main;
=== extended return, return in the middle of loops
-- break: `Find (V, 5) = 2` becomes `Find (V, 5) = 0`
procedure Main is
   type Vec is array (1 .. 3) of Integer;
   function Find (V : Vec; X : Integer) return Natural is
   begin
      return R : Natural := 0 do
         for I in V'Range loop
            if V (I) = X then
               R := I;
               exit;
            end if;
         end loop;
      end return;
   end Find;
   V : constant Vec := (4, 5, 6);
begin
   pragma Assert (Find (V, 5) = 2);
end Main;
=== index check on dynamic, uninitialised out
-- break: `I := 3` becomes `I := 4`
procedure Main is
   type Vec is array (1 .. 3) of Integer;
   V : Vec := (1, 2, 3);
   I : Integer;
begin
   I := 3;
   V (I) := 9;
   pragma Assert (V (3) = 9);
end Main;
=== pragma Assume false path, raise expression
-- break: `X > 0` becomes `X > 5`
procedure Main is
   X : Integer := 3;
begin
   if not (X > 0) then
      raise Program_Error with "bad";
   end if;
   pragma Assert (X = 3, "must be three");
end Main;
=== array type anonymous; object
-- break: `A (1) = 0` becomes `A (1) = 1`
procedure Main is
   A : array (1 .. 3) of Integer := (others => 0);
begin
   A (2) := 1;
   pragma Assert (A (1) = 0);
end Main;
=== use type clause, operators of packages qualified
-- break: `T (A + B) = 7` becomes `T (A + B) = 8`
package Ty is
   type T is range -100 .. 100;
   subtype Pos is T range 1 .. T'Last;
end Ty;
with Ty; use type Ty.T;
procedure Main is
   A : Ty.T := 3;
   B : Ty.Pos := 4;
   subtype T is Ty.T;
begin
   pragma Assert (T (A + B) = 7);
   pragma Assert (Ty.Pos'First = 1 and then B in Ty.Pos);
   pragma Assert (B not in 5 .. 6 | 9);
end Main;
=== length check
-- break: `B (1 .. 3) := A (2 .. 4)` becomes `B (1 .. 3) := A (2 .. 5)`
procedure Main is
   type Vec is array (Positive range <>) of Integer;
   A : Vec (1 .. 6) := (1, 2, 3, 4, 5, 6);
   B : Vec (1 .. 4) := (others => 0);
begin
   B (1 .. 3) := A (2 .. 4);
   pragma Assert (B (3) = 4);
   B (2 .. 4) := B (1 .. 3);
   pragma Assert (B = (2, 2, 3, 4));
   pragma Assert (B (1 .. 2) = B (1 .. 2) and B (1 .. 2) /= B (2 .. 4));
   A (1 .. 0) := A (5 .. 4);
end Main;
=== instances with different bounds, in out, first and last inside
-- break: `W (7) = 70` becomes `W (7) = 7`
procedure Main is
   type Vec is array (Integer range <>) of Integer;
   procedure Scale (A : in out Vec; By : Integer; N : out Natural) with
     Pre => A'First <= A'Last, Post => (for all I in A'Range => A (I) = A'Old (I) * By) and N = A'Length;
   procedure Scale (A : in out Vec; By : Integer; N : out Natural) is
   begin
      N := 0;
      for I in A'First .. A'Last loop
         A (I) := A (I) * By;
         N := N + 1;
      end loop;
   end Scale;
   V : Vec (-1 .. 1) := (1, 2, 3);
   W : Vec (5 .. 8) := (5, 6, 7, 8);
   N : Natural;
begin
   Scale (V, 2, N);
   pragma Assert (N = 3 and V (-1) = 2);
   Scale (W, 10, N);
   pragma Assert (N = 4 and W (7) = 70);
   Scale (W (5 .. 6), 2, N);
   pragma Assert (N = 2 and W (5) = 100 and W (7) = 70);
end Main;
=== renaming freezes its index
-- break: `V (1) = 9` becomes `V (2) = 9`
procedure Main is
   type Vec is array (1 .. 3) of Integer;
   V : Vec := (1, 2, 3);
   I : Integer := 1;
begin
   declare
      X : Integer renames V (I);
   begin
      I := 2;
      X := 9;
   end;
   pragma Assert (V (1) = 9);
end Main;
=== defaults see the scope of their type
-- break: `P.X.A = 7` becomes `P.X.A = 3`
package P is
   K : constant Integer := 7;
   type T is record
      A : Integer := K;
      B : Boolean := True;
   end record;
   X : T;
   type U is record
      L, R : T;
      N : Natural := 1;
   end record;
   type Us is array (1 .. 2) of U;
end P;
with P;
procedure Main is
   K : constant Integer := 3;
   Y : P.T;
   Z : P.Us;
   W : P.U := (N => 5, others => <>);
begin
   pragma Assert (P.X.A = 7);
   pragma Assert (Y.A = 7 and Y.B and K = 3);
   pragma Assert (Z (2).R.A = 7 and Z (1).N = 1);
   pragma Assert (W.N = 5 and W.L.A = 7);
end Main;
=== contract cases: overlap, 'Old under a guard, others
-- break: `X = 0 => X = 1` becomes `X <= 0 => X = 1`
procedure Main is
   type Vec is array (1 .. 2) of Integer;
   V : Vec := (4, 5);
   procedure P (X : in out Integer; I : Integer) with
     Contract_Cases => (X < 0 => X = X'Old,
                        X = 0 => X = 1,
                        ((I in Vec'Range) and X > 0) => X = X'Old + V (I)'Old,
                        others => X = 0);
   procedure P (X : in out Integer; I : Integer) is
   begin
      if X = 0 then
         X := 1;
      elsif X > 0 then
         if I in Vec'Range then
            X := X + V (I);
         else
            X := 0;
         end if;
      end if;
   end P;
   A : Integer := -1;
begin
   P (A, 7);
   A := 0;
   P (A, 9);
   P (A, 1);
   pragma Assert (A = 5);
   P (A, 3);
   pragma Assert (A = 0);
end Main;
=== contract case violated
-- break: `X := X + 1` becomes `X := X + 2`
procedure Main is
   procedure P (X : in out Integer) with
     Pre => X < 100,
     Contract_Cases => (X < 10 => X = X'Old + 1, X >= 10 => X = 10);
   procedure P (X : in out Integer) is
   begin
      if X < 10 then
         X := X + 1;
      else
         X := 10;
      end if;
   end P;
   A : Integer := 3;
begin
   P (A);
   P (A);
   A := 50;
   P (A);
end Main;
=== lexicographic variant, nested loops, restarted
-- break: `J := 3` becomes `J := 2`
procedure Main is
   I : Natural := 2;
   J : Natural := 3;
   C : Natural := 0;
begin
   while I > 0 loop
      pragma Loop_Variant (Decreases => I, Decreases => J);
      if J > 0 then
         J := J - 1;
      else
         I := I - 1;
         J := 3;
      end if;
      C := C + 1;
   end loop;
   pragma Assert (C = 8);
   for K in 1 .. 3 loop
      I := 0;
      loop
         pragma Loop_Variant (Increases => I);
         I := I + 1;
         exit when I = K;
      end loop;
   end loop;
end Main;
=== variant does not progress
-- fails
procedure Main is
   I : Natural := 0;
   N : Natural := 0;
begin
   loop
      pragma Loop_Variant (Increases => I);
      N := N + 1;
      exit when N = 5;
      I := N / 2;
   end loop;
end Main;
=== nested subprograms at three levels with parameters and locals
-- break: `R = 31` becomes `R = 35`
package K is
   procedure Top (A : Integer; B : in out Integer; R : out Integer) with Pre => A in 0 .. 5 and B in 0 .. 5;
end K;
package body K is
   T : Integer := 1000;
   procedure Top (A : Integer; B : in out Integer; R : out Integer) is
      T : Integer := A * 10;
      procedure Mid (A : Integer) is
         S : Integer := A;
         procedure Low is
         begin
            S := S + 1;
            T := T + S;
            B := B + 1;
         end Low;
      begin
         Low;
         Low;
      end Mid;
      function F return Integer is (T + B);
   begin
      Mid (1);
      R := F;
   end Top;
end K;
with K;
procedure Main is
   B : Integer := 4;
   R : Integer;
begin
   K.Top (2, B, R);
   pragma Assert (B = 6);
   pragma Assert (R = 31);
end Main;
=== called twice: locals anew
-- break: `R = 2` becomes `R = 4`
procedure Main is
   R : Integer := 0;
   procedure Outer (X : Integer; Y : out Integer) is
      C : Integer := 0;
      procedure Inc is
      begin
         C := C + X;
      end Inc;
   begin
      Inc;
      Inc;
      Y := C;
   end Outer;
begin
   Outer (1, R);
   Outer (1, R);
   pragma Assert (R = 2);
end Main;
=== function with nested procedure is pure; nested one changing outer local
-- break: `F (3) = 6` becomes `F (3) = 5`
procedure Main is
   function F (N : Natural) return Natural is
      S : Natural := 0;
      procedure Add (K : Natural) is
      begin
         S := S + K;
      end Add;
   begin
      for I in 1 .. N loop
         Add (I);
      end loop;
      return S;
   end F;
begin
   pragma Assert (F (3) = 6);
   pragma Assert (F (2) + F (3) = 9);
end Main;
=== characters and strings
-- break: `Digit ('7') = 7` becomes `Digit ('7') = 8`
procedure Main is
   function Digit (C : Character) return Natural is (Character'Pos (C) - Character'Pos ('0')) with
     Pre => C in '0' .. '9';
   function Value (S : String) return Natural is
      R : Natural := 0;
   begin
      for C of S loop
         R := R * 10 + Digit (C);
      end loop;
      return R;
   end Value;
   Buf : String (1 .. 5) := "hello";
   Quote : constant String := "a""b";
begin
   pragma Assert (Digit ('7') = 7);
   pragma Assert (Value ("123") = 123 and Value ("") = 0);
   pragma Assert (Value (Quote (1 .. 0)) = 0);
   Buf (1) := 'H';
   pragma Assert (Buf = "Hello" and Buf /= "hello" and Buf /= "Hell");
   pragma Assert (Quote'Length = 3 and Quote (2) = '"');
   Buf (2 .. 3) := "xy";
   pragma Assert (Buf = "Hxylo");
   pragma Assert (Character'Val (65) = 'A' and Character'Succ ('A') = 'B');
   pragma Assert (for some C of Buf => C = 'x');
end Main;
=== private hoisting with a homonym in another package
-- break: `A.Get (A.Make) = 1` becomes `A.Get (A.Make) = 2`
package Z is
   Max : constant := 2;
   subtype Cell is Integer range 0 .. 2;
end Z;
package A is
   type T is private;
   Nil : constant T;
   function Make return T;
   function Get (X : T) return Integer;
private
   type Count is range 0 .. 9;
   type T is record
      C : Count;
   end record;
   Nil : constant T := (C => 0);
   function Make return T is ((C => 1));
   function Get (X : T) return Integer is (Integer (X.C));
end A;
package B is
   type T is private;
   function Make return T;
   function Get (X : T) return Integer;
private
   Max : constant := 9;
   subtype Cell is Integer range 0 .. Max;
   type T is new Cell;
   function Make return T is (8);
   function Get (X : T) return Integer is (Integer (X));
end B;
with A; with B;
procedure Main is
   Y : B.T := B.Make;
begin
   pragma Assert (A.Get (A.Make) = 1);
   pragma Assert (B.Get (Y) = 8 and A.Get (A.Nil) = 0);
end Main;
=== delta of arrays and records, dynamic index
-- break: `B (2) = 7` becomes `B (2) = 2`
procedure Main is
   type Vec is array (1 .. 3) of Integer;
   type R is record
      V : Vec;
      K : Integer;
   end record;
   A : constant Vec := (1, 2, 3);
   I : Integer := 2;
   B : Vec;
   X : R := (V => A, K => 0);
begin
   B := (A with delta I => 7);
   pragma Assert (B (2) = 7 and B (3) = 3);
   X := (X with delta K => 5, V => (others => I));
   pragma Assert (X.K = 5 and X.V (3) = 2);
   B := (B with delta 1 => B (2), 3 => B (1));
   pragma Assert (B = (7, 7, 1));
end Main;
=== extended return, shift, representation
-- break: `Pack (1, 2) = 258` becomes `Pack (1, 2) = 513`
with Interfaces; use Interfaces;
procedure Main is
   function Pack (Hi, Lo : Unsigned_8) return Unsigned_16 is
   begin
      return R : Unsigned_16 := Unsigned_16 (Hi) do
         R := Shift_Left (R, 8) or Unsigned_16 (Lo);
      end return;
   end Pack;
   function Low (X : Unsigned_16) return Unsigned_8 is (Unsigned_8 (X and 16#FF#));
   X : Unsigned_32 := 16#DEAD_BEEF#;
begin
   pragma Assert (Pack (1, 2) = 258);
   pragma Assert (Low (Pack (3, 4)) = 4);
   X := Shift_Right (X, 16) xor 16#FFFF#;
   pragma Assert (X = 16#2152#);
   pragma Assert (Shift_Left (X, 32) = 0 and Shift_Right (X, 0) = X);
end Main;
=== initialisation order in nested packages, constants by functions
-- break: `Inner.Y = 12` becomes `Inner.Y = 2`
procedure Main is
   X : Integer := 5;
   package Inner is
      Y : Integer := X * 2;
      Z : constant Integer := Y + 1;
      procedure Bump;
   end Inner;
   package body Inner is
      Hidden : Integer := Z;
      procedure Bump is
      begin
         Y := Y + 2;
         Hidden := Hidden + Y;
         pragma Assert (Hidden = 23);
      end Bump;
   end Inner;
begin
   Inner.Bump;
   pragma Assert (Inner.Y = 12);
   pragma Assert (Inner.Z = 11);
end Main;
=== index check in slices and elements of unconstrained
-- break: `Get (V, 4)` becomes `Get (V, 5)`
procedure Main is
   type Vec is array (Positive range <>) of Integer;
   function Get (A : Vec; I : Positive) return Integer is (A (I));
   V : constant Vec := (1, 2, 3, 4);
   N : Integer := 0;
begin
   N := Get (V, 4);
   pragma Assert (N = 4);
   N := Get (V (2 .. 3), 2);
   pragma Assert (N = 2);
end Main;
=== slice keeps its bounds
-- fails
procedure Main is
   type Vec is array (Positive range <>) of Integer;
   function Get (A : Vec; I : Positive) return Integer is (A (I));
   V : constant Vec := (1, 2, 3, 4);
begin
   pragma Assert (Get (V (2 .. 3), 1) = 2);
end Main;
=== slices out of range
-- fails
procedure Main is
   type Vec is array (1 .. 3) of Integer;
   A : Vec := (1, 2, 3);
   B : Vec := A;
begin
   B (2 .. 3) := A (3 .. 4);
end Main;
=== passing by reference against copy of composite with reading of global through function
-- break: `V (1) = 11` becomes `V (1) = 1`
procedure Main is
   type Vec is array (1 .. 2) of Integer;
   V : Vec := (1, 2);
   W : Vec := (5, 6);
   procedure Add (A : in out Vec; B : Vec) is
   begin
      for I in A'Range loop
         A (I) := A (I) + B (I) * 2;
      end loop;
   end Add;
begin
   Add (V, W);
   pragma Assert (V (1) = 11);
   Add (V, (others => 1));
   pragma Assert (V = (13, 16));
end Main;
=== for of over a two dimensional array is; reverse of
-- break: `T = 321` becomes `T = 123`
procedure Main is
   type Vec is array (1 .. 3) of Integer;
   V : Vec := (1, 2, 3);
   T : Integer := 0;
begin
   for E of reverse V loop
      T := T * 10 + E;
   end loop;
   pragma Assert (T = 321);
end Main;
=== assertions with messages, Check
-- break: `X = 2, "two"` becomes `X = 3, "two"`
procedure Main is
   X : Integer := 2;
begin
   pragma Assert (X = 2, "two");
   pragma Assert (Check => X = 2, Message => "two");
   pragma Check (Assertion, X > 1, "more");
   if X = 7 then
      raise Constraint_Error with "seven";
   end if;
end Main;
=== a type conversion of arrays and qualified ones
-- break: `T (W) (2)` becomes `T (W) (1)`
procedure Main is
   type Vec is array (Positive range <>) of Integer;
   subtype T is Vec (1 .. 2);
   W : Vec (5 .. 6) := (7, 8);
   X : T;
begin
   pragma Assert (T (W) (2) = 8);
   X := T'(3, 4);
   pragma Assert (X (2) = 4);
   X := W;
   pragma Assert (X (1) = 7);
end Main;
=== nested package state with private types and defaults
-- break: `Size (A) = 2` becomes `Size (A) = 1`
procedure Main is
   package Q is
      type Queue is private;
      procedure Put (Q : in out Queue; X : Integer) with Pre => not Full (Q);
      function Full (Q : Queue) return Boolean;
      function Size (Q : Queue) return Natural;
   private
      type Data is array (0 .. 2) of Integer;
      type Queue is record
         D : Data := (others => 0);
         N : Natural := 0;
      end record;
   end Q;
   package body Q is
      procedure Put (Q : in out Queue; X : Integer) is
      begin
         Q.D (Q.N) := X;
         Q.N := Q.N + 1;
      end Put;
      function Full (Q : Queue) return Boolean is (Q.N = Data'Length);
      function Size (Q : Queue) return Natural is (Q.N);
   end Q;
   use Q;
   A : Queue;
begin
   Put (A, 1);
   Put (A, 2);
   pragma Assert (Size (A) = 2);
   Put (A, 3);
   pragma Assert (Full (A));
end Main;
=== raise in the middle; uninitialised local read
procedure Main is
   X : Integer;
   Y : Integer := 0;
   subtype S is Integer range 0 .. 10;
   type R is record
      F : S := 3;
      G : S;
   end record;
   Z : R;
begin
   Z.G := Z.F;
   X := Z.G + Y;
   pragma Assert (X = 3);
end Main;
=== a default parameter means what it means where it stands
-- break: `A.F = 1` becomes `A.F = 2`
package A is
   K : constant Integer := 1;
   function F (X : Integer := K) return Integer is (X);
end A;
with A;
procedure Main is
   K : constant Integer := 2;
begin
   pragma Assert (A.F = 1 and K = 2);
end Main;
=== a variable of a package with the name of a local one
-- break: `A.F (K) = 3` becomes `A.F (K) = 4`
package A is
   K : Integer := 1;
   function F (X : Integer) return Integer is (X + K) with Pre => K < 10 and X < 10;
end A;
with A;
procedure Main is
   K : Integer := 2;
begin
   pragma Assert (A.F (K) = 3);
   A.K := 5;
   pragma Assert (A.F (K) = 7);
end Main;
=== inner declarations hide outer ones, in blocks, loops and quantifiers
-- break: `S = 36` becomes `S = 35`
procedure Main is
   I : Integer := 100;
   S : Integer := 0;
   type Vec is array (1 .. 3) of Integer;
   V : Vec := (1, 2, 3);
begin
   for I in 1 .. 3 loop
      S := S + I;
      declare
         I : Integer := 10;
      begin
         S := S + I;
      end;
   end loop;
   pragma Assert (S = 36 and I = 100);
   pragma Assert (for all I of V => I < 4);
   pragma Assert (I = 100);
   pragma Assert (for all I in V'Range => (for some J in 1 .. 3 => V (J) = I));
end Main;
=== enumerations of two types with one literal
-- break: `Light'Pos (L) = 0` becomes `Light'Pos (L) = 1`
procedure Main is
   type Light is (Red, Green);
   type Paint is (Blue, Red);
   L : Light := Red;
   P : Paint := Red;
begin
   pragma Assert (Light'Pos (L) = 0 and Paint'Pos (P) = 1);
   pragma Assert (L = Red and P = Red and P /= Blue);
   case P is
      when Blue => pragma Assert (False);
      when Red => null;
   end case;
end Main;
=== saturating, signed division, nested ifs with elsif
-- break: `Sat (120, 100) = 127` becomes `Sat (120, 100) = -36`
procedure Main is
   type Int8 is range -128 .. 127;
   function Sat (A, B : Int8) return Int8 is
      S : constant Integer := Integer (A) + Integer (B);
   begin
      if S > 127 then
         return 127;
      elsif S < -128 then
         return -128;
      else
         return Int8 (S);
      end if;
   end Sat;
begin
   pragma Assert (Sat (120, 100) = 127);
   pragma Assert (Sat (-120, -100) = -128 and Sat (3, -5) = -2);
   pragma Assert (Int8 (-7) / 2 = -3 and Int8 (-7) mod 2 = 1 and Int8 (-7) rem 2 = -1);
end Main;
=== ring buffer of a modular index
-- break: `X = 2` becomes `X = 1`
package Ring is
   type Index is mod 4;
   type Data is array (Index) of Natural;
   type Buffer is private;
   function Count (B : Buffer) return Natural;
   procedure Put (B : in out Buffer; X : Natural) with Pre => Count (B) < 4, Post => Count (B) = Count (B'Old) + 1;
   procedure Get (B : in out Buffer; X : out Natural) with Pre => Count (B) > 0, Post => Count (B) = Count (B'Old) - 1;
private
   type Buffer is record
      D : Data := (others => 0);
      First : Index := 0;
      N : Natural range 0 .. 4 := 0;
   end record;
   function Count (B : Buffer) return Natural is (B.N);
end Ring;
package body Ring is
   procedure Put (B : in out Buffer; X : Natural) is
   begin
      B.D (B.First + Index'Mod (B.N)) := X;
      B.N := B.N + 1;
   end Put;
   procedure Get (B : in out Buffer; X : out Natural) is
   begin
      X := B.D (B.First);
      B.First := B.First + 1;
      B.N := B.N - 1;
   end Get;
end Ring;
with Ring; use Ring;
procedure Main is
   B : Buffer;
   X : Natural;
begin
   for I in 1 .. 3 loop
      Put (B, I);
   end loop;
   Get (B, X);
   Put (B, 4);
   Put (B, 5);
   Get (B, X);
   pragma Assert (X = 2);
   pragma Assert (Count (B) = 3);
end Main;
=== two exits and a return in nested loops over a matrix
-- break: `Find (M, 6) = 23` becomes `Find (M, 6) = 22`
procedure Main is
   type Matrix is array (1 .. 3, 1 .. 3) of Integer;
   M : constant Matrix := ((1, 2, 3), (4, 5, 6), (7, 8, 9));
   function Find (M : Matrix; X : Integer) return Natural is
   begin
      Rows : for I in M'Range (1) loop
         for J in M'Range (2) loop
            if M (I, J) = X then
               return I * 10 + J;
            end if;
            exit Rows when M (I, J) > X;
         end loop;
      end loop Rows;
      return 0;
   end Find;
begin
   pragma Assert (Find (M, 6) = 23);
   pragma Assert (Find (M, 0) = 0 and M'Length (2) = 3 and M'Last (1) = 3);
end Main;
=== sort with order asserted
-- break: `A (J) > A (J + 1)` becomes `A (J) < A (J + 1)`
procedure Main is
   type Vec is array (Positive range <>) of Integer;
   procedure Sort (A : in out Vec) with
     Pre => A'Length > 0,
     Post => (for all K in A'First .. A'Last - 1 => A (K) <= A (K + 1));
   procedure Sort (A : in out Vec) is
      T : Integer;
   begin
      for I in reverse A'First .. A'Last - 1 loop
         for J in A'First .. I loop
            if A (J) > A (J + 1) then
               T := A (J);
               A (J) := A (J + 1);
               A (J + 1) := T;
            end if;
         end loop;
      end loop;
   end Sort;
   V : Vec := (5, 2, 8, 1);
   W : Vec (3 .. 5) := (9, 7, 8);
begin
   Sort (V);
   Sort (W);
   pragma Assert (V (1) = 1 and W (5) = 9);
end Main;
=== the value of an out parameter is checked when it comes back
-- break: `X := 10` becomes `X := 11`
procedure Main is
   subtype Small is Integer range 0 .. 10;
   S : Small := 0;
   procedure P (X : out Integer) is
   begin
      X := 10;
   end P;
begin
   P (S);
   pragma Assert (S = 10);
end Main;
=== what 'Old of a function call and of a component is
-- break: `A.N = A.N'Old + 1` becomes `A.N = A.N'Old`
procedure Main is
   type R is record N : Integer; M : Integer; end record;
   function Sum (X : R) return Integer is (X.N + X.M) with Pre => X.N < 1000 and X.M < 1000;
   procedure Inc (A : in out R) with
     Pre => A.N < 100 and A.M < 100,
     Post => A.N = A.N'Old + 1 and Sum (A) = Sum (A)'Old + 1 and A'Old.M = A.M;
   procedure Inc (A : in out R) is
   begin
      A.N := A.N + 1;
   end Inc;
   A : R := (1, 2);
begin
   Inc (A);
   pragma Assert (A = (2, 2));
end Main;
=== names of a subprogram are not seen outside of it
-- break: `Q.F = 5` becomes `Q.F = 6`
package Z is
   Total : Integer := 5;
end Z;
with Z; use Z;
package Q is
   procedure R (Total : Integer);
   function F return Integer is (Total);
end Q;
package body Q is
   procedure R (Total : Integer) is
      Size : Integer := Total;
      procedure S is
      begin
         Size := Size + Total;
      end S;
   begin
      S;
      pragma Assert (Size = 2);
   end R;
end Q;
with Q;
procedure Main is
begin
   Q.R (1);
   pragma Assert (Q.F = 5);
end Main;
=== out record with defaults keeps nothing it should not
-- break: `R.B = 4` becomes `R.B = 9`
procedure Main is
   type Rec is record
      A : Integer := 1;
      B : Integer := 2;
   end record;
   R : Rec := (A => 8, B => 9);
   procedure P (X : out Rec) is
   begin
      X := (B => 4, others => <>);
   end P;
begin
   P (R);
   pragma Assert (R.A = 1);
   pragma Assert (R.B = 4);
end Main;
=== array of records assigned through elements and slices of them
-- break: `A (3).X = 1` becomes `A (3).X = 3`
procedure Main is
   type R is record X : Integer := 0; Y : Boolean := False; end record;
   type Arr is array (Positive range <>) of R;
   A : Arr (1 .. 4);
begin
   for I in A'Range loop
      A (I).X := I;
   end loop;
   A (3 .. 4) := A (1 .. 2);
   pragma Assert (A (3).X = 1 and A (4).X = 2 and not A (4).Y);
   A (2) := (Y => True, X => <>);
   pragma Assert (A (2) = (0, True) and A (1 .. 2) /= A (3 .. 4));
   for E of A loop
      E.Y := not E.Y;
   end loop;
   pragma Assert (A (1).Y and not A (2).Y);
end Main;
=== integer overflow inside of a quantifier and short circuit
-- break: `I < 3 and then` becomes `I < 3 and`
procedure Main is
   type V is array (1 .. 3) of Integer;
   A : constant V := (1, 2, 3);
begin
   pragma Assert (for all I in V'Range => not (I < 3 and then A (I + 1) < A (I)));
end Main;
=== character ranges, case on characters, strings by parts
-- break: `Kind ('Q') = 2` becomes `Kind ('Q') = 1`
procedure Main is
   function Kind (C : Character) return Natural is
   begin
      case C is
         when '0' .. '9' => return 0;
         when 'a' .. 'z' | '_' => return 1;
         when 'A' .. 'Z' => return 2;
         when others => return 3;
      end case;
   end Kind;
   S : constant String (3 .. 6) := "ab1Q";
   N : Natural := 0;
begin
   for I in S'Range loop
      N := N * 10 + Kind (S (I));
   end loop;
   pragma Assert (N = 1102);
   pragma Assert (Kind ('Q') = 2 and Kind (''') = 3 and Kind (' ') = 3);
   pragma Assert (S (3 .. 4) = "ab"  and S (5 .. 6) = "1Q");
end Main;
=== modular index arithmetic and 'Mod of negative numbers
-- break: `M'Mod (-3) = 13` becomes `M'Mod (-3) = 3`
procedure Main is
   type M is mod 16;
   X : Integer := -3;
begin
   pragma Assert (M'Mod (-3) = 13);
   pragma Assert (M'Mod (X) = 13 and M'Mod (X * 16) = 0 and M'Mod (35) = 3);
   pragma Assert (M'Pred (0) = 15 and M'Succ (15) = 0 and M'Modulus = 16);
end Main;
=== nested function reading an outer in out parameter while it changes
-- break: `X = 4` becomes `X = 3`
procedure Main is
   procedure Step (X : in out Integer) with Pre => X < 100, Post => X = X'Old * 2;
   procedure Step (X : in out Integer) is
      Start : constant Integer := X;
      function Twice return Integer is (Start * 2);
      procedure Set is
      begin
         X := Twice;
      end Set;
   begin
      X := 50;
      Set;
   end Step;
   X : Integer := 2;
begin
   Step (X);
   pragma Assert (X = 4);
end Main;
=== private type compared, copied, as a component
-- break: `not Has (S, 4)` becomes `Has (S, 4)`
package Sets is
   type Set is private;
   Empty : constant Set;
   subtype Elem is Integer range 1 .. 8;
   function Has (S : Set; E : Elem) return Boolean;
   function Add (S : Set; E : Elem) return Set with Post => Has (Add'Result, E);
private
   type Set is array (Elem) of Boolean;
   Empty : constant Set := (others => False);
   function Has (S : Set; E : Elem) return Boolean is (S (E));
end Sets;
package body Sets is
   function Add (S : Set; E : Elem) return Set is
      R : Set := S;
   begin
      R (E) := True;
      return R;
   end Add;
end Sets;
with Sets; use Sets;
procedure Main is
   type Pair is record
      L, R : Set := Empty;
   end record;
   P : Pair;
   S : Set;
begin
   S := Add (Add (Empty, 3), 5);
   pragma Assert (Has (S, 3) and not Has (S, 4));
   P.R := S;
   pragma Assert (P.L = Empty and P.R = S and P.L /= P.R);
   pragma Assert (Add (P.L, 3) /= S and Add (Add (P.L, 5), 3) = S);
end Main;
=== renaming of a component of an element, and of a whole
-- break: `A (2).V = 6` becomes `A (2).V = 5`
procedure Main is
   type R is record V : Integer; end record;
   type Arr is array (1 .. 2) of R;
   A : Arr := (others => (V => 5));
begin
   for I in A'Range loop
      declare
         X : R renames A (I);
         Y : Integer renames X.V;
      begin
         Y := Y + I - 1;
      end;
   end loop;
   pragma Assert (A (2).V = 6 and A (1).V = 5);
end Main;
