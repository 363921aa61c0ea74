-- The next day, seven times.
-- break: `if D = Sunday then Monday` becomes `if D = Saturday then Monday`
procedure Day_Of_Week (N : Natural) is
   type Day is (Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday);
   function Next (D : Day) return Day is (if D = Sunday then Monday else Day'Succ (D));
   Today : Day := Day'Val (N mod 7);
   First : constant Day := Today;
begin
   for I in 1 .. 7 loop
      Today := Next (Today);
   end loop;
   pragma Assert (Today = First);
end Day_Of_Week;
