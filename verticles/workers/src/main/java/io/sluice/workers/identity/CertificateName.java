package io.sluice.workers.identity;

import java.util.Optional;

/**
 * What a certificate names, in a URI among its alternative names.
 *
 * @param name an id; that of a worker may end with a star, for all ids that begin so
 */
public record CertificateName(Kind kind, String name) {
    private static final String PREFIX = "urn:sluice:";

    /** What a certificate is for; one kind is never taken for another. */
    public enum Kind {
        WORKER("worker:"),
        CONTROLLER("controller:");

        private final String part;

        Kind(String part) {
            this.part = part;
        }
    }

    /** The name of a worker. */
    public static CertificateName worker(String id) {
        return new CertificateName(Kind.WORKER, id);
    }

    /** The name of a controller. */
    public static CertificateName controller(String name) {
        return new CertificateName(Kind.CONTROLLER, name);
    }

    static Optional<CertificateName> read(String uri) {
        for (var kind : Kind.values()) {
            if (uri.startsWith(PREFIX + kind.part)) {
                return Optional.of(new CertificateName(kind, uri.substring((PREFIX + kind.part).length())));
            }
        }
        return Optional.empty();
    }

    String uri() {
        return PREFIX + kind.part + name;
    }

    /** Whether it covers this id. */
    boolean covers(String id) {
        return matches(name, id);
    }

    /** Whether an id is that of the pattern, or begins with it if it ends with a star. */
    public static boolean matches(String pattern, String id) {
        return pattern.endsWith("*") ? id.startsWith(pattern.substring(0, pattern.length() - 1)) : id.equals(pattern);
    }
}
