-- Three exchanges sort three numbers.
-- break: `if Y > Z then` becomes `if Y > Z + 0 and X < Y then`
procedure Sort_Three (A, B, C : Integer) is
   X : Integer := A;
   Y : Integer := B;
   Z : Integer := C;

   procedure Swap (P, Q : in out Integer)
     with Post => P = Q'Old and Q = P'Old
   is
      T : constant Integer := P;
   begin
      P := Q;
      Q := T;
   end Swap;
begin
   if X > Y then
      Swap (X, Y);
   end if;
   if Y > Z then
      Swap (Y, Z);
   end if;
   if X > Y then
      Swap (X, Y);
   end if;
   pragma Assert (X <= Y and Y <= Z);
end Sort_Three;
