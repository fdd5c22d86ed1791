/** What the hot paths cost, measured with JMH and in whole processes. */
package io.sluice.bench;
