/** Workers in great number: what their sessions cost, and how fast they and their instances come. */
package io.sluice.bench.workers;
