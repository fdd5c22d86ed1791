package io.sluice.workers;

import io.sluice.workers.identity.IdentityFiles;

/**
 * The files of the listeners' TLS.
 *
 * @param cert PEM file with the listeners' certificate, followed by those of its issuers; empty without TLS
 * @param key PEM file with the certificate's private key; empty without TLS
 * @param clientCa PEM file with the issuers of workers' and controllers' certificates; the common name of a worker's
 *     certificate is its id
 */
public record WorkersTls(String cert, String key, String clientCa) {
    /** No TLS. */
    public static final WorkersTls NONE = new WorkersTls("", "", "");

    public WorkersTls {
        if (cert.isBlank() != key.isBlank() || cert.isBlank() != clientCa.isBlank()) {
            throw new IllegalArgumentException(
                    "workers.tls.cert, workers.tls.key and workers.tls.clientCa must be given together, or none of"
                            + " them");
        }
    }

    /** Those that were issued. */
    public static WorkersTls of(IdentityFiles files) {
        return new WorkersTls(files.certificate(), files.key(), files.authority());
    }

    /** Whether every client is known by its certificate. */
    public boolean namesClients() {
        return !clientCa.isBlank();
    }
}
