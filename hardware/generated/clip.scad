// A clip: its foot stands on the spacer beside the circuit board, its tongue holds the edge of the board.
// Made by `cribboard draw`. Millimetres.
tongue = 2;
beside = 3;
foot = 5.5;
length = 12;
over = 2;
step = 1.5;
screw = 2.2;

difference() {
  linear_extrude(length) polygon([
    [0, 0], [foot, 0], [foot, step + over], [-tongue, step + over], [-tongue, step], [0, step]]);
  translate([beside, -1, length / 2]) rotate([-90, 0, 0]) cylinder(h = step + over + 2, d = screw, $fn = 24);
}
