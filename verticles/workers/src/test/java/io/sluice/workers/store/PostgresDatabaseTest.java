package io.sluice.workers.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters of a URL override what makes a commit durable and each statement end. */
class PostgresDatabaseTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h/db?options=-c%20search_path=sluice",
                "jdbc:postgresql://h/db?ssl=true&socketTimeout=0",
                "jdbc:postgresql://h/db?socket%54imeout=0",
                "jdbc:postgresql:db?service=other"
            })
    void aUrlThatOverridesThemIsRefusedByTheKey(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PostgresDatabase(url))
                .withMessageContaining("workers.store must not have the parameter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jdbc:postgresql://h/db", "jdbc:postgresql://h/options?ssl=true&sslmode=verify-full&user=u"})
    void otherParametersAreAllowed(String url) {
        assertThatCode(() -> new PostgresDatabase(url)).doesNotThrowAnyException();
    }
}
