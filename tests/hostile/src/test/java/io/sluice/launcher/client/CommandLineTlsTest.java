package io.sluice.launcher.client;

import io.sluice.hostile.Certificates;
import io.sluice.hostile.TlsClientContract;
import java.time.Duration;
import java.util.Optional;

/** The command line sends a request to a console. */
class CommandLineTlsTest extends TlsClientContract {
    @Override
    protected Optional<String> request(String url, Certificates trusted) throws Exception {
        var client = ConsoleClient.of(
                url, Optional.of(trusted.tokenFile()), Optional.of(trusted.authorityFile()), Duration.ofSeconds(60));
        try {
            client.json("api/fleet");
            return Optional.empty();
        } catch (ConsoleException refused) {
            return Optional.of(refused.getMessage());
        }
    }
}
