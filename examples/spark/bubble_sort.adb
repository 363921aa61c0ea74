-- Bubble sort of four inputs ends in order.
-- break: `for I in 1 .. N - 1 loop` becomes `for I in 2 .. N - 1 loop`
procedure Bubble_Sort is
   N : constant := 3;
   type Row is array (1 .. N) of Integer;
   function Input return Integer with Import;
   A : Row := (others => Input);
   T : Integer;
begin
   for K in 1 .. N - 1 loop
      for I in 1 .. N - 1 loop
         if A (I) > A (I + 1) then
            T := A (I);
            A (I) := A (I + 1);
            A (I + 1) := T;
         end if;
      end loop;
   end loop;
   pragma Assert (for all I in 1 .. N - 1 => A (I) <= A (I + 1));
end Bubble_Sort;
