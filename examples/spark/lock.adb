-- A lock is taken and released in turn.
-- break: `if Locked then Release; end if;` becomes `Release;`
procedure Lock is
   function Choice return Boolean with Import;
   Locked : Boolean := False;

   procedure Acquire with Pre => not Locked, Post => Locked is
   begin
      Locked := True;
   end Acquire;

   procedure Release with Pre => Locked, Post => not Locked is
   begin
      Locked := False;
   end Release;
begin
   loop
      if Locked then Release; end if;
      exit when Choice;
      Acquire;
   end loop;
   pragma Assert (not Locked);
end Lock;
