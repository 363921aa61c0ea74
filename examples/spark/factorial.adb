-- Recursion with a precondition.
-- break: `R <= 3` becomes `R <= 2`
procedure Factorial is
   function Input return Natural with Import;
   function Fact (N : Natural) return Positive
     with Pre => N <= 12
   is
   begin
      if N = 0 then
         return 1;
      end if;
      return Fact (N - 1) + 1;
   end Fact;
   K : constant Natural := Input;
   R : Positive := 1;
begin
   if K <= 12 then
      R := Fact (K mod 3);
   end if;
   pragma Assert (R <= 3);
end Factorial;
