-- An elevator moves only with its door shut.
-- break: `if Door = Shut then` becomes `if True then`
procedure Elevator (Rounds : Natural) is
   type Door_State is (Open, Shut);
   subtype Floor is Integer range 0 .. 5;
   function Choice return Boolean with Import;
   Door : Door_State := Shut;
   At_Floor : Floor := 0;
   Moved_Open : Boolean := False;
begin
   for I in 1 .. Rounds loop
      if Choice then
         if Door = Shut then
            if At_Floor < 5 then
               At_Floor := At_Floor + 1;
            else
               At_Floor := 0;
            end if;
            if Door = Open then
               Moved_Open := True;
            end if;
         end if;
      else
         Door := (if Door = Shut then Open else Shut);
      end if;
   end loop;
   pragma Assert (not Moved_Open);
end Elevator;
