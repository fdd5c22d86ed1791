package io.sluice.messages.vm;

import java.util.List;
import java.util.Objects;

/**
 * The reply to {@link ListElasticJobs}.
 *
 * @param jobs the fields of each that are needed, as JSON
 * @param failure why they could not be read, in words; empty if they were
 */
public record ElasticJobList(List<String> jobs, String failure) {
    public ElasticJobList {
        jobs = List.copyOf(jobs);
        Objects.requireNonNull(failure, "failure");
    }
}
