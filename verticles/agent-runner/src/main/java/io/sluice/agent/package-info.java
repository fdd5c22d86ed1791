/** The agent: one runner for each VM, the scrape of its metrics, and the adapters between runners and bus. */
package io.sluice.agent;
