-- The middle of an interval stays inside.
-- break: `Low := M + 1;` becomes `Low := M + 2;`
procedure Binary_Search (Key : Integer) is
   type Row is array (1 .. 4) of Integer;
   A : constant Row := (1, 3, 5, 7);
   Low  : Integer := 1;
   High : Integer := 4;
   M    : Integer;
   Found : Boolean := False;
begin
   while Low <= High and not Found loop
      M := Low + (High - Low) / 2;
      if A (M) = Key then
         Found := True;
      elsif A (M) < Key then
         Low := M + 1;
      else
         High := M - 1;
      end if;
   end loop;
   pragma Assert (Found = (Key in 1 | 3 | 5 | 7));
end Binary_Search;
