-- Doubling a modular number eight times gives zero.
-- break: `for I in 1 .. 8 loop` becomes `for I in 1 .. 7 loop`
procedure Power_Of_Two (Start : Natural) is
   type Byte is mod 2 ** 8;
   B : Byte := Byte (Start mod 256);
begin
   for I in 1 .. 8 loop
      B := B * 2;
   end loop;
   pragma Assert (B = 0);
end Power_Of_Two;
