// The spacer of continuous-121-2: pockets as left, bottom, right, top, seen from above.
// Made by `cribboard draw`. Millimetres.
width = 403.92;
height = 153.73;
thickness = 2;
corner = 6;
screw = 3.2;
screws = [[6, 6], [201.96, 6], [397.92, 6], [6, 147.73], [201.96, 147.73], [397.92, 147.73]];
pockets = [[5.53, 10.2, 398.39, 21], [5.53, 22.9, 398.39, 33.7], [61.41, 43.22, 398.39, 54.02], [61.41, 55.92, 398.39, 66.72], [61.41, 76.24, 398.39, 87.04], [61.41, 88.94, 398.39, 99.74], [61.41, 109.26, 398.39, 120.06], [61.41, 121.96, 398.39, 132.76], [47.64, 90.62, 58.44, 148.2]];

module slab(width, height, corner) {
  translate([corner, corner]) offset(r = corner)
    square([width - 2 * corner, height - 2 * corner]);
}
linear_extrude(thickness) difference() {
  slab(width, height, corner);
  for (p = pockets) translate([p[0], p[1]]) square([p[2] - p[0], p[3] - p[1]]);
  for (at = screws) translate(at) circle(d = screw, $fn = 32);
}
