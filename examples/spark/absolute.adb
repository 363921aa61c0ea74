-- The absolute value of the smallest integer does not exist.
-- break: `X > Integer'First` becomes `X >= Integer'First`
procedure Absolute (X : Integer; R : out Natural)
  with Pre => X > Integer'First,
       Post => R >= 0 and (R = X or R = -X)
is
begin
   if X < 0 then
      R := -X;
   else
      R := X;
   end if;
end Absolute;
