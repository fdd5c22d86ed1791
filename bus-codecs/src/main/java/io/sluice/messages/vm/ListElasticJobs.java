package io.sluice.messages.vm;

/**
 * Lists the jobs that may have more or fewer members.
 *
 * @param whole whether what they scale and its pods are read too; otherwise which of them exist, and in which version
 */
public record ListElasticJobs(boolean whole) {}
