package io.sluice.launcher.cluster;

import io.sluice.bus.BusTls;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of the bus's TLS: {@code hazelcast.busTls}. All three or none; read once, at the start.
 *
 * @param cert the PEM file with this process's certificate, used as client and as server, followed by those of its
 *     issuers; empty for a bus without TLS
 * @param key the PEM file with the certificate's private key, unencrypted
 * @param caFile the PEM file with the certificates that must have signed those of all other processes. Names in
 *     certificates are not compared with hosts, so the issuer must sign for these processes alone
 */
public record BusTlsFiles(String cert, String key, String caFile) {
    /** No TLS. */
    public static final BusTlsFiles NONE = new BusTlsFiles("", "", "");

    private static final String SECTION = "hazelcast.busTls.";

    public BusTlsFiles {
        var given = Stream.of(cert, key, caFile).filter(file -> !file.isBlank()).count();
        if (given != 0) {
            require("cert", cert);
            require("key", key);
            require("caFile", caFile);
        }
    }

    private static void require(String key, String file) {
        if (file.isBlank()) {
            throw new IllegalArgumentException(SECTION + key + " must name a file, as TLS on the bus needs " + SECTION
                    + "cert, .key and .caFile, or none of them");
        }
    }

    /** Whether TLS is configured. */
    public boolean areGiven() {
        return !cert.isBlank();
    }

    /**
     * The contents of the files; empty without TLS.
     *
     * @throws IllegalStateException with a sentence that names the key of the file that cannot be read
     */
    Optional<BusTls> read() {
        return areGiven()
                ? Optional.of(
                        new BusTls(certificates("cert", cert), content("key", key), certificates("caFile", caFile)))
                : Optional.empty();
    }

    private static Buffer certificates(String key, String file) {
        var pem = content(key, file);
        try (var stream = new ByteArrayInputStream(pem.getBytes())) {
            if (List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(stream))
                    .isEmpty()) {
                throw new IllegalStateException(SECTION + key + "=" + file + " holds no certificate");
            }
            return pem;
        } catch (CertificateException | IOException wrong) {
            throw new IllegalStateException(
                    SECTION + key + "=" + file + " holds no certificate: " + wrong.getMessage(), wrong);
        }
    }

    private static Buffer content(String key, String file) {
        try {
            return Buffer.buffer(Files.readAllBytes(Path.of(file)));
        } catch (IOException | InvalidPathException unreadable) {
            throw new IllegalStateException(SECTION + key + "=" + file + " cannot be read: " + unreadable, unreadable);
        }
    }
}
