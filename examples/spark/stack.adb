-- A bounded stack: what is pushed is popped.
-- break: `if Top < Size then` becomes `if Top <= Size then`
procedure Stack (First, Second : Integer) is
   Size : constant := 4;
   type Items is array (1 .. Size) of Integer;
   Data : Items := (others => 0);
   Top  : Natural := 0;

   procedure Push (X : Integer) is
   begin
      if Top < Size then
         Top := Top + 1;
         Data (Top) := X;
      end if;
   end Push;

   procedure Pop (X : out Integer)
     with Pre => Top in 1 .. Size
   is
   begin
      X := Data (Top);
      Top := Top - 1;
   end Pop;

   R : Integer;
begin
   Push (First);
   Push (Second);
   Pop (R);
   pragma Assert (R = Second);
   Pop (R);
   pragma Assert (R = First);
   for I in 1 .. 5 loop
      Push (I);
   end loop;
end Stack;
