-- A counter that stops at its limit.
-- break: `C := 10` becomes `C := 11`
procedure Counter (N : Natural) is
   C : Integer range 0 .. 10 := 0;
begin
   for I in 1 .. N loop
      if C < 10 then
         C := C + 1;
      else
         C := 10;
      end if;
   end loop;
   pragma Assert (C in 0 .. 10);
end Counter;
