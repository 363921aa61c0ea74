-- Parity by counting down.
-- break: `E := not E;` becomes `E := E;`
package body Parity is
   Last : Integer := 0;
   --% predicate Last = 0;

   procedure Check (N : Natural) is
      K : Natural := N mod 4;
      E : Boolean := True;
   begin
      while K > 0 loop
         K := K - 1;
         E := not E;
      end loop;
      Last := (if E then 0 else 1);
      pragma Assert (Last = N mod 2);
   end Check;
end Parity;
