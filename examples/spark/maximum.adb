-- The largest of three.
-- break: `if C > M then` becomes `if C < M then`
procedure Maximum (A, B, C : Integer) is
   M : Integer := A;
begin
   if B > M then
      M := B;
   end if;
   if C > M then
      M := C;
   end if;
   --% assert M >= A and M >= B and M >= C;
end Maximum;
