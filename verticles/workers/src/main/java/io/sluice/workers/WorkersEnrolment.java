package io.sluice.workers;

import java.time.Duration;
import java.util.List;

/**
 * Certificates that this process issues itself.
 *
 * @param enabled whether machines get certificates by tokens; then the files of {@code workers.tls} must not be given
 * @param authority the directory of the issuing key and certificate, and of a controller's certificate for this
 *     machine; made at the first start
 * @param names names and addresses by which workers and controllers reach this machine, besides those of loopback
 * @param certificateLife how long a certificate is valid; workers renew theirs after two thirds of it
 * @param tokenLife the longest time for which a token may be used
 */
public record WorkersEnrolment(
        boolean enabled, String authority, List<String> names, Duration certificateLife, Duration tokenLife) {
    private static final Duration LIFE_MIN = Duration.ofSeconds(3);

    /** No certificates of its own. */
    public static final WorkersEnrolment OFF =
            new WorkersEnrolment(false, "workers-authority", List.of(), Duration.ofHours(24), Duration.ofHours(24));

    public WorkersEnrolment {
        names = List.copyOf(names);
        if (authority.isBlank()) {
            throw new IllegalArgumentException("workers.enrolment.authority must not be blank");
        }
        if (certificateLife.compareTo(LIFE_MIN) < 0 || tokenLife.compareTo(LIFE_MIN) < 0) {
            throw new IllegalArgumentException(
                    "workers.enrolment.certificateLife and workers.enrolment.tokenLife must be at least 3s");
        }
    }
}
