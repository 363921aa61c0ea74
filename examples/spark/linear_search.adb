-- Search in an array.
-- break: `Found := I;` becomes `Found := I + 1;`
procedure Linear_Search (Key : Integer; Found : out Natural) is
   type Row is array (1 .. 4) of Integer;
   function Input return Integer with Import;
   A : constant Row := (Input, Input, Input, Input);
begin
   Found := 0;
   for I in A'Range loop
      if A (I) = Key then
         Found := I;
         exit;
      end if;
   end loop;
   pragma Assert (Found <= 4);
   if Found > 0 then
      pragma Assert (A (Found) = Key);
   end if;
end Linear_Search;
