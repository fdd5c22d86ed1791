package io.sluice.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: no client of the process sends a request, and with it a credential, to a server that does not prove its
 * identity by TLS 1.2 or later. Method: one server for each possible defect.
 */
public abstract class TlsClientContract {
    private static Certificates certificates;

    /** The defects of a server. */
    enum Flaw {
        UNKNOWN_AUTHORITY,
        WRONG_NAME,
        EXPIRED,
        TLS_1_1,
        PLAIN
    }

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = Certificates.ofThisRun();
    }

    /**
     * Sends a request to a server, with a credential if the client has one.
     *
     * @param trusted the certificates that the client trusts
     * @return why there is no reply; empty if there is one
     */
    protected abstract Optional<String> request(String url, Certificates trusted) throws Exception;

    @Test
    void sendsToAServerThatProvesItsIdentity() throws Exception {
        try (var server = OddServer.showing(certificates.showing(Certificates.Kind.GOOD))) {
            assertThat(request("https://localhost:" + server.port(), certificates))
                    .isEmpty();
            assertThat(server.requests()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsNothingToAServerThatDoesNot(Flaw flaw) throws Exception {
        try (var server = flawed(flaw)) {
            assertThat(request("https://localhost:" + server.port(), certificates))
                    .isNotEmpty()
                    .get()
                    .asString()
                    .isNotBlank();
            assertThat(server.requests()).isZero();
        }
    }

    @Test
    void failsWhereItIsConfiguredWithoutTlsForAServerWithTls() throws Exception {
        try (var server = OddServer.showing(certificates.showing(Certificates.Kind.GOOD))) {
            assertThat(request("http://localhost:" + server.port(), certificates))
                    .isNotEmpty()
                    .get()
                    .asString()
                    .isNotBlank();
            assertThat(server.requests()).isZero();
        }
    }

    private static OddServer flawed(Flaw flaw) throws Exception {
        return switch (flaw) {
            case UNKNOWN_AUTHORITY -> OddServer.showing(certificates.showing(Certificates.Kind.UNKNOWN_AUTHORITY));
            case WRONG_NAME -> OddServer.showing(certificates.showing(Certificates.Kind.WRONG_NAME));
            case EXPIRED -> OddServer.showing(certificates.showing(Certificates.Kind.EXPIRED));
            case TLS_1_1 -> OddServer.old();
            case PLAIN -> OddServer.plain();
        };
    }
}
