/** How fast pods are placed. */
package io.sluice.bench.placement;
