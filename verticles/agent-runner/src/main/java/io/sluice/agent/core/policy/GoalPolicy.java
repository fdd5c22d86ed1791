package io.sluice.agent.core.policy;

/**
 * Computes the goal of one VM from each of its scrapes, in compute units; it remembers what it needs of earlier ones.
 */
public interface GoalPolicy {
    /** The goal after this scrape. */
    int goal(Scrape scrape);
}
