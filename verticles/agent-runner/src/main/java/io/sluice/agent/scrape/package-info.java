/** Scrapes of the metrics of VMs over HTTP, each with a timeout and a bound on its size. */
package io.sluice.agent.scrape;
