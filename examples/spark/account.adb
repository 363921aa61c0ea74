-- An account that is never overdrawn.
-- break: `if Amount <= A.Balance then` becomes `if Amount <= A.Balance + 1 then`
procedure Account (Start : Natural) is
   type Money is range 0 .. 1_000_000;
   type State is record
      Balance : Money;
      Closed  : Boolean;
   end record;
   function Input return Money with Import;
   A : State := (Balance => 100, Closed => False);

   procedure Withdraw (Amount : Money) is
   begin
      if Amount <= A.Balance then
         A.Balance := A.Balance - Amount;
      end if;
   end Withdraw;
begin
   if Start > 10 then
      A.Balance := 10;
   end if;
   Withdraw (Input);
   pragma Assert (A.Balance <= 100 and not A.Closed);
end Account;
