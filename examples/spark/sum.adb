-- The sum of a small table.
-- break: `S <= 40` becomes `S <= 39`
procedure Sum is
   subtype Small is Natural range 0 .. 10;
   type Row is array (1 .. 4) of Small;
   function Input return Small with Import;
   A : Row := (others => 0);
   S : Natural := 0;
begin
   for I in A'Range loop
      A (I) := Input;
   end loop;
   for I in A'Range loop
      S := S + A (I);
   end loop;
   pragma Assert (S <= 40);
end Sum;
