-- Two records exchanged.
-- break: `B := T;` becomes `B := A;`
procedure Swap (X, Y : Integer) is
   type Pair is record
      Key : Integer;
      Used : Boolean;
   end record;
   A : Pair := (X, True);
   B : Pair := (Key => Y, Used => False);
   T : Pair;
begin
   T := A;
   A := B;
   B := T;
   pragma Assert (A = (Y, False) and B.Key = X and B.Used);
end Swap;
