-- Greatest common divisor by subtraction stays positive.
-- break: `A > 0 and B > 0` becomes `A > 0 and B >= 0`
procedure Gcd (A, B : Integer; R : out Integer)
  with Pre => A > 0 and B > 0,
       Post => R > 0
is
   X : Integer := A;
   Y : Integer := B;
begin
   while X /= Y loop
      pragma Loop_Invariant (X > 0 and Y > 0);
      if X > Y then
         X := X - Y;
      else
         Y := Y - X;
      end if;
   end loop;
   R := X;
end Gcd;
