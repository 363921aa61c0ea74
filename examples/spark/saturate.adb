-- Saturating addition.
-- break: `Add'Result <= Top` becomes `Add'Result < Top`
procedure Saturate (A, B : Natural) is
   Top : constant := 1_000;
   subtype Level is Natural range 0 .. Top;

   function Add (X, Y : Level) return Level
     with Post => Add'Result <= Top and Add'Result >= X
   is
   begin
      if X > Top - Y then
         return Top;
      end if;
      return X + Y;
   end Add;

   R : Level := 0;
begin
   if A <= Top and B <= Top then
      R := Add (A, B);
      pragma Assert (R >= A);
   end if;
end Saturate;
