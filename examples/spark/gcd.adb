-- Greatest common divisor by subtraction stays positive.
-- break: `B in 1 .. 8` becomes `B in 0 .. 8`
procedure Gcd (A, B : Integer; R : out Integer)
  with Pre => A in 1 .. 8 and B in 1 .. 8,
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
