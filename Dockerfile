# syntax=docker/dockerfile:1
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY fakestripe fakestripe
COPY fault_profiles fault_profiles
RUN pip wheel --quiet --no-cache-dir --wheel-dir /wheels '.[tls]'

FROM python:3.13-slim
# The slim image ships without .pyc files, of Python's own library too, and the user below could
# write none: every start would compile everything again.
# hadolint ignore=DL3013
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --quiet --no-cache-dir --no-index --find-links /wheels 'fakestripe[tls]' \
    && python -m compileall -q -j 0 -x '/tests?/' "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" \
    && mkdir /profiles
USER 10001:10001
EXPOSE 12111 12112
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s CMD ["fakestripe", "health"]
# What a command of one's own leaves out. Profiles are those that are mounted, or copied, here.
ENV FAKESTRIPE_HOST=0.0.0.0 \
    FAKESTRIPE_PROFILES=/profiles
ENTRYPOINT ["fakestripe"]
CMD ["serve"]
