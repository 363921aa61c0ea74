// expect: SAFE
/* Two names that differ in their last character only, after more than 63 others. */
extern void reach_error(void);
int a_name_of_very_many_characters_of_which_only_the_last_one_differs_from_the_other_a = 1;
int a_name_of_very_many_characters_of_which_only_the_last_one_differs_from_the_other_b = 2;
int main(void) {
    if (a_name_of_very_many_characters_of_which_only_the_last_one_differs_from_the_other_a != 1) reach_error();
    return 0;
}
