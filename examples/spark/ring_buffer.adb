-- A ring buffer whose positions are modular.
-- break: `if Count < 4 then` becomes `if Count <= 4 then`
procedure Ring_Buffer (Steps : Natural) is
   type Position is mod 4;
   type Cells is array (Position) of Integer;
   function Choice return Boolean with Import;
   Store : Cells := (others => 0);
   Head  : Position := 0;
   Tail  : Position := 0;
   Count : Natural := 0;
begin
   for I in 1 .. Steps loop
      if Choice then
         if Count < 4 then
            Store (Tail) := I;
            Tail := Tail + 1;
            Count := Count + 1;
         end if;
      elsif Count > 0 then
         Head := Head + 1;
         Count := Count - 1;
      end if;
      pragma Assert (Count <= 4);
   end loop;
end Ring_Buffer;
