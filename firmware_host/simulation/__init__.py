"""Games that the program plays by itself (the demonstration), and plans of faults to inject."""
