// The spacer of classic-61: pockets as left, bottom, right, top, seen from above.
// Made by `cribboard draw`. Millimetres.
width = 368.36;
height = 95.31;
thickness = 2;
corner = 6;
screw = 3.2;
screws = [[6, 6], [184.18, 6], [362.36, 6], [6, 89.31], [184.18, 89.31], [362.36, 89.31]];
pockets = [[12.08, 18.865, 22.88, 76.445], [25.85, 72.43, 362.83, 83.23], [25.85, 56.53, 362.83, 67.33], [25.85, 27.98, 362.83, 38.78], [25.85, 12.08, 362.83, 22.88]];

module slab(width, height, corner) {
  translate([corner, corner]) offset(r = corner)
    square([width - 2 * corner, height - 2 * corner]);
}
linear_extrude(thickness) difference() {
  slab(width, height, corner);
  for (p = pockets) translate([p[0], p[1]]) square([p[2] - p[0], p[3] - p[1]]);
  for (at = screws) translate(at) circle(d = screw, $fn = 32);
}
