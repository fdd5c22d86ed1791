package io.sluice.gateway.listener;

import io.sluice.gateway.core.identity.TokenSet;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;

/**
 * Reads a listener's tokens and certificate off the event loop. Every failure is a sentence that names key and file.
 */
final class ListenerFiles {
    private static final int BYTES_MAX = 1024 * 1024;

    private final Vertx vertx;
    private final String section;

    ListenerFiles(Vertx vertx, String section) {
        this.vertx = vertx;
        this.section = section;
    }

    /** Returns the tokens; none if the listener requires none. */
    Future<TokenSet> tokens(ListenerConfig config) {
        if (!config.requiresToken()) {
            return Future.succeededFuture(TokenSet.NONE);
        }
        return vertx.executeBlocking(
                () -> {
                    var text = new String(read("tokenFile", config.tokenFile()), StandardCharsets.UTF_8);
                    try {
                        return TokenSet.read(text);
                    } catch (IllegalArgumentException wrong) {
                        throw unusable("tokenFile", config.tokenFile(), wrong);
                    }
                },
                false);
    }

    /** Returns certificate and key, which match; empty for a listener without TLS. */
    Future<Optional<TlsIdentity>> identity(ListenerConfig config) {
        var tls = config.tls();
        if (!tls.areGiven()) {
            return Future.succeededFuture(Optional.empty());
        }
        return vertx.executeBlocking(
                () -> {
                    var cert = read("tls.cert", tls.cert());
                    var key = read("tls.key", tls.key());
                    TlsIdentity identity;
                    try {
                        identity = TlsIdentity.of(vertx, cert, key);
                    } catch (GeneralSecurityException wrong) {
                        throw new IllegalStateException(
                                section + ".tls.cert=" + tls.cert() + " with " + section + ".tls.key=" + tls.key()
                                        + " cannot be used: " + wrong.getMessage(),
                                wrong);
                    }
                    return Optional.of(tls.requireClientCertificate() ? requiring(identity, tls.clientCa()) : identity);
                },
                false);
    }

    private TlsIdentity requiring(TlsIdentity identity, String clientCa) {
        try {
            return identity.requiring(vertx, read("tls.clientCa", clientCa));
        } catch (GeneralSecurityException wrong) {
            throw unusable("tls.clientCa", clientCa, wrong);
        }
    }

    private byte[] read(String key, String file) {
        try (var stream = Files.newInputStream(Path.of(file))) {
            var bytes = stream.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new IOException("it is longer than " + BYTES_MAX + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException | FileNotFoundException missing) {
            throw unusable(key, file, new IOException("there is no such file", missing));
        } catch (IOException | InvalidPathException unreadable) {
            throw unusable(key, file, unreadable);
        }
    }

    private IllegalStateException unusable(String key, String file, Exception why) {
        return new IllegalStateException(
                section + "." + key + "=" + file + " cannot be used: " + why.getMessage(), why);
    }
}
