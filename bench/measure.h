/* What main.c tells measure.c. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

/* From now on everything is done once: shows that the benchmarks work, not how fast they are. */
void measure_quickly(void);

#endif
