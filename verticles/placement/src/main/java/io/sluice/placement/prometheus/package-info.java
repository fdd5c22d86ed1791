/** What Prometheus measured on nodes. */
package io.sluice.placement.prometheus;
