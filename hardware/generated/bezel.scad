// The bezel for display and keypad, from the front. Openings: left, bottom, right, top. Measure first.
// Made by `cribboard draw`. Millimetres.
width = 84;
height = 134;
thickness = 3;
corner = 4;
screw = 3.2;
oled_screw = 2.2;
recess = 0.8;
screws = [[4.5, 4.5], [4.5, 129.5], [79.5, 4.5], [79.5, 129.5]];
oled_screws = [[26.8, 96.45], [26.8, 124.95], [57.2, 96.45], [57.2, 124.95]];
glass = [[24.75, 101.2, 59.25, 120.2]];
keys = [[7.4, 12, 76.6, 88.9]];
tail = [[31, 13.5, 53, 16]];

module slab(width, height, corner) {
  translate([corner, corner]) offset(r = corner)
    square([width - 2 * corner, height - 2 * corner]);
}
module opening(p) { translate([p[0], p[1]]) square([p[2] - p[0], p[3] - p[1]]); }
difference() {
  linear_extrude(thickness) difference() {
    slab(width, height, corner);
    opening(glass[0]);
    opening(tail[0]);
    for (at = screws) translate(at) circle(d = screw, $fn = 32);
    for (at = oled_screws) translate(at) circle(d = oled_screw, $fn = 24);
  }
  translate([0, 0, thickness - recess]) linear_extrude(recess + 1) opening(keys[0]);
}
