// The spacer of continuous-121-4: pockets as left, bottom, right, top, seen from above.
// Made by `cribboard draw`. Millimetres.
width = 403.92;
height = 246.44;
thickness = 2;
corner = 6;
screw = 3.2;
screws = [[6, 6], [201.96, 6], [397.92, 6], [6, 240.44], [201.96, 240.44], [397.92, 240.44]];
pockets = [[5.53, 10.2, 398.39, 21], [5.53, 22.9, 398.39, 33.7], [5.53, 35.6, 398.39, 46.4], [5.53, 48.3, 398.39, 59.1], [61.41, 68.62, 398.39, 79.42], [61.41, 81.32, 398.39, 92.12], [61.41, 94.02, 398.39, 104.82], [61.41, 106.72, 398.39, 117.52], [61.41, 127.04, 398.39, 137.84], [61.41, 139.74, 398.39, 150.54], [61.41, 152.44, 398.39, 163.24], [61.41, 165.14, 398.39, 175.94], [61.41, 185.46, 398.39, 196.26], [61.41, 198.16, 398.39, 208.96], [61.41, 210.86, 398.39, 221.66], [61.41, 223.56, 398.39, 234.36], [47.64, 179.52, 58.44, 237.1]];

module slab(width, height, corner) {
  translate([corner, corner]) offset(r = corner)
    square([width - 2 * corner, height - 2 * corner]);
}
linear_extrude(thickness) difference() {
  slab(width, height, corner);
  for (p = pockets) translate([p[0], p[1]]) square([p[2] - p[0], p[3] - p[1]]);
  for (at = screws) translate(at) circle(d = screw, $fn = 32);
}
