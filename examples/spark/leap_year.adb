-- Days of a year.
-- break: `Year mod 100 /= 0 or Year mod 400 = 0` becomes `Year mod 100 /= 0`
procedure Leap_Year (Year : Positive) is
   Leap : Boolean;
   Days : Integer range 365 .. 366;
begin
   Leap := Year mod 4 = 0 and (Year mod 100 /= 0 or Year mod 400 = 0);
   Days := (if Leap then 366 else 365);
   if Year mod 400 = 0 then
      pragma Assert (Days = 366);
   end if;
end Leap_Year;
