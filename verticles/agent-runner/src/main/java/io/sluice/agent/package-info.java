/** The agent: one runner per VM, the scrape of its metrics, and the way between the runners and the bus. */
package io.sluice.agent;
