// The bezel, the lid of the case, from the front. Openings: left, bottom, right, top. Measure first.
// Made by `cribboard draw`. Millimetres.
width = 96;
height = 144;
thickness = 3;
corner = 4;
screw = 3.2;
oled_screw = 2.2;
button_hole = 12.2;
recess = 0.8;
screws = [[4.5, 4.5], [4.5, 139.5], [91.5, 4.5], [91.5, 139.5]];
oled_screws = [[8.8, 101.45], [8.8, 129.95], [39.2, 101.45], [39.2, 129.95]];
glass = [[6.75, 106.2, 41.25, 125.2]];
keys = [[13.4, 12, 82.6, 88.9]];
tail = [[37, 13.5, 59, 16]];
button = [[72, 108]];

module slab(width, height, corner) {
  translate([corner, corner]) offset(r = corner)
    square([width - 2 * corner, height - 2 * corner]);
}
module opening(p) { translate([p[0], p[1]]) square([p[2] - p[0], p[3] - p[1]]); }
module bezel() difference() {
  linear_extrude(thickness) difference() {
    slab(width, height, corner);
    opening(glass[0]);
    opening(tail[0]);
    for (at = screws) translate(at) circle(d = screw, $fn = 32);
    for (at = oled_screws) translate(at) circle(d = oled_screw, $fn = 24);
    translate(button[0]) circle(d = button_hole, $fn = 48);
  }
  translate([0, 0, thickness - recess]) linear_extrude(recess + 1) opening(keys[0]);
}
bezel();
