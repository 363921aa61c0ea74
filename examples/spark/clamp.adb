-- A value brought into a range.
-- break: `elsif V > 100 then` becomes `elsif V > 101 then`
procedure Clamp (X : Integer) is
   subtype Percent is Integer range 0 .. 100;
   function Bound (V : Integer) return Percent is
   begin
      if V < 0 then
         return 0;
      elsif V > 100 then
         return 100;
      end if;
      return V;
   end Bound;
   P : Percent;
begin
   P := Bound (X);
   pragma Assert (P <= 100);
end Clamp;
