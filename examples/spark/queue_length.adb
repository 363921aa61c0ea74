-- A queue's length is the difference of two counters.
-- break: `if Put - Taken < 8 then` becomes `if Put - Taken <= 8 then`
procedure Queue_Length is
   function Choice return Boolean with Import;
   Put   : Natural := 0;
   Taken : Natural := 0;
begin
   while Put < 1000 loop
      if Choice then
         if Put - Taken < 8 then
            Put := Put + 1;
         end if;
      elsif Taken < Put then
         Taken := Taken + 1;
      end if;
      pragma Assert (Put - Taken <= 8 and Taken <= Put);
   end loop;
end Queue_Length;
