"""The browser application: a small server that hands the work to processes of their own and shows what they tell."""
