package io.sluice.messages.ledger;

/**
 * The node's books after a load.
 *
 * @param members how many members it has now
 * @param recovered how many of them wait for their agent's first question
 */
public record LoadReply(int members, int recovered) {}
