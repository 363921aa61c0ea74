-- The average of two numbers without overflow.
-- break: `Low + (High - Low) / 2` becomes `(Low + High) / 2`
procedure Average (Low, High : Natural; M : out Natural)
  with Pre => Low <= High,
       Post => M >= Low and M <= High
is
begin
   M := Low + (High - Low) / 2;
end Average;
