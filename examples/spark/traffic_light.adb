-- Two lights, never both green.
-- break: `North := Yellow;` becomes `East := Green;`
procedure Traffic_Light (Ticks : Natural) is
   type Colour is (Red, Yellow, Green);
   North : Colour := Green;
   East  : Colour := Red;
begin
   for I in 1 .. Ticks loop
      if North = Green then
         North := Yellow;
      elsif North = Yellow then
         North := Red; East := Green;
      elsif East = Green then
         East := Yellow;
      else
         East := Red;
         North := Green;
      end if;
      pragma Assert (not (North = Green and East = Green));
   end loop;
end Traffic_Light;
