set encoding utf8
set terminal svg dynamic background rgb 'white' noenhanced size 1520,480
set grid lc rgb '#d0d0d0' lt 1
set border 3
set tics nomirror
set key above
set format '%.9g'
set xrange [0:*]
set offsets 0, graph 0.03, graph 0.03, 0
set yrange [0:*]
set multiplot layout 1,2
$w0_d0 << EOD
1000 80
2000 100
3000 400
2900 900
EOD
$w0_d1 << EOD
1500 60
2500 70
EOD
set title 'w'
set xlabel 'IOPS'
set ylabel 'mean latency, microseconds'
plot $w0_d0 using ($1/1):2 with linespoints lc rgb '#0072b2' lw 2 pt 7 ps 0.7 title 'a', \
  '+' using (3000):(400) every ::::0 with points lc rgb '#0072b2' pt 6 ps 1.8 notitle, \
  $w0_d1 using ($1/1):2 with linespoints lc rgb '#d55e00' lw 2 pt 5 ps 0.7 title 'it''s', \
  '+' using (2500):(70) every ::::0 with points lc rgb '#d55e00' pt 6 ps 1.8 notitle, \
  200 with lines lc rgb '#505050' lw 1.5 dt 2 title '200us'
$w1_d0 << EOD
20000 90
40000 95
EOD
set title 'it''s_"x" `id` @y <&>'
set xlabel 'thousand IOPS'
set ylabel 'mean latency, microseconds'
plot $w1_d0 using ($1/1000):2 with linespoints lc rgb '#0072b2' lw 2 pt 7 ps 0.7 title 'a', \
  '+' using (40):(95) every ::::0 with points lc rgb '#0072b2' pt 6 ps 1.8 notitle
unset multiplot
